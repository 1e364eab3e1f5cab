import { plainName } from './protected-names.ts'

const secret =
  /\.(pem|key|p12|pfx|ppk|kdbx|keystore)$|^id_(rsa|dsa|ecdsa|ed25519)|^\.(netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|ssh|gnupg|aws)$/

/** Whether files or folders of this name hold keys or passwords by custom, so that no tool hands them to a model. */
export const holdsSecrets = (name: string): boolean => secret.test(plainName(name))
