import { visibleWith } from '../domain/visible.ts'

/** Text as a person must see it before saying yes. Line ends and tabs stay; a carriage return is none of them. */
export const visible = visibleWith('[\\n\\t]')
