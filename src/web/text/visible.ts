import { visibleWith } from '../../domain/visible.ts'

/** Text from the world as the page may show it. */
export const visible = visibleWith('\\r?\\n|\\t')
