/** What a picture may be made of. Nothing here can run, load or lead anywhere. */
const elements = new Set([
  'circle',
  'defs',
  'desc',
  'ellipse',
  'g',
  'line',
  'marker',
  'path',
  'polygon',
  'polyline',
  'rect',
  'svg',
  'text',
  'title',
  'tspan',
])

const attributes = new Set(
  `aria-label class cx cy d data-id data-from data-state data-to dx dy fill height id marker-end marker-start markerHeight
   markerUnits markerWidth opacity orient points preserveAspectRatio r refX refY role rx ry stroke stroke-dasharray
   stroke-width text-anchor transform viewBox width x x1 x2 y y1 y2`.split(/\s+/),
)

const namespace = 'http://www.w3.org/2000/svg'
/** An arrow's tip is named by the only kind of address that there may be: one in the picture itself. */
const harmless = /^(?!.*(?:url\((?!#[\w-]+\))|javascript:))/is

/** A picture as elements, built anew from the few that are known; null for what is no picture. */
export function safeSvg(text: string): SVGSVGElement | null {
  // Its own looks are left out before it is read: the page brings those along, and may hold none that stand in a picture.
  const plain = text.replace(/<style>[^<]*<\/style>/g, '')
  const { documentElement: root } = new DOMParser().parseFromString(plain, 'image/svg+xml')
  const copy = copied(root)
  return copy instanceof SVGSVGElement ? copy : null
}

function copied(element: Element): SVGElement | null {
  if (element.namespaceURI !== namespace || !elements.has(element.localName)) return null
  const copy = document.createElementNS(namespace, element.localName) as SVGElement
  for (const { name, value } of element.attributes) {
    if (attributes.has(name) && harmless.test(value)) copy.setAttribute(name, value)
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? '')
    else if (child instanceof Element) {
      const below = copied(child)
      if (below !== null) copy.append(below)
    }
  }
  return copy
}
