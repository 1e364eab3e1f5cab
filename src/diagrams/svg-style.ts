import { fontSize } from './shapes.ts'

/**
 * Looks of a drawn chart, in both colour schemes. Everything hangs below `.state-chart`, so that a page may hold the
 * picture inline; a page that follows a running machine sets the class `active` on the states it is in.
 */
export const svgStyle = `
.state-chart { --paper: #ffffff; --ink: #1e293b; --soft: #475569; --line: #94a3b8; --box: #ffffff; --tint: #f1f5f980;
  --end: #f8fafc; --accent: #16a34a; --glow: #dcfce7; font-family: ui-sans-serif, system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  .state-chart { --paper: #0f172a; --ink: #e2e8f0; --soft: #a8b5c8; --line: #64748b; --box: #1e293b; --tint: #33415533;
    --end: #172033; --accent: #4ade80; --glow: #14532d; }
}
.state-chart .paper { fill: var(--paper); }
.state-chart text { fill: var(--ink); }
.state-chart .heading { font-size: ${fontSize.heading}px; font-weight: 650; }
.state-chart .title { font-size: ${fontSize.title}px; font-weight: 600; }
.state-chart .detail { font-size: ${fontSize.detail}px; fill: var(--soft); }
.state-chart .box { fill: var(--box); stroke: var(--line); stroke-width: 1.25; }
.state-chart .inner { fill: none; stroke: var(--line); stroke-width: 1; }
.state-chart .rule { stroke: var(--line); stroke-width: 0.75; opacity: 0.6; }
.state-chart .compound > .box, .state-chart .parallel > .box { fill: var(--tint); }
.state-chart .region > .box { stroke-dasharray: 6 4; }
.state-chart .final > .box { fill: var(--end); }
.state-chart .active > .box { fill: var(--glow); stroke: var(--accent); stroke-width: 2.5; }
.state-chart .active.compound > .box, .state-chart .active.parallel > .box { fill: var(--tint); }
.state-chart .wire { fill: none; stroke: var(--line); stroke-width: 1.4; }
.state-chart .tip { fill: var(--line); }
.state-chart .dot { fill: var(--ink); }
.state-chart .label { font-size: ${fontSize.label}px; fill: var(--soft); text-anchor: middle;
  paint-order: stroke; stroke: var(--paper); stroke-width: 7px; stroke-linejoin: round; }
`
