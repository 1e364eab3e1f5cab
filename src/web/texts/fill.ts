export type Facts = Readonly<Record<string, string | number>>

/**
 * A text of a table with its facts filled in: `{name}`. Where it differs by number its forms stand behind one another,
 * `{n} task|{n} tasks`; `n` decides.
 */
export function fill(text: string, language: string, facts: Facts = {}): string {
  const forms = text.split('|')
  const { n } = facts
  const isOne = typeof n === 'number' && new Intl.PluralRules(language).select(n) === 'one'
  const form = (isOne ? forms[0] : forms.at(-1)) ?? text
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined
    if (fact === undefined) return whole
    return typeof fact === 'number' ? new Intl.NumberFormat(language).format(fact) : fact
  })
}
