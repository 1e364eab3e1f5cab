// Placeholder until the real one lands: overwrite freely.
import type { ReportMaterial, SituationReport } from '../domain/report.ts'
export const situationReport = (
  { changes, health: _health, ...rest }: ReportMaterial,
  _budget: number,
): SituationReport => {
  const shown = [...changes]
  return {
    ...rest,
    changes: shown,
    text: '',
    tokens: 0,
    through: shown.at(-1)?.seq ?? null,
    left: 0,
    hasExternalContent: shown.some((c) => c.external),
  }
}
