import { folderSource } from './folder/source.ts'

/** The kinds of sources there are, by the name that the settings call them. */
export const sources = { folder: folderSource }
