import { visibleLines } from '../../../src/base/unseen.ts'

/** Properties that users read or hear besides the content. What they edit stays unchanged. */
const readProps = ['title', 'aria-label', 'placeholder', 'alt', 'label'] as const

/**
 * The same properties with all characters visible: none that reverses the direction of a line, moves a cursor or takes
 * no space.
 */
export function shownProps(props: unknown): unknown {
  if (!isMembers(props)) return props
  const changed: [string, unknown][] = []
  for (const name of readProps) {
    const value = props[name]
    if (typeof value === 'string') noteChange(changed, name, value, visibleLines(value))
  }
  const { children } = props
  noteChange(changed, 'children', children, shownChild(children))
  return changed.length === 0 ? props : { ...props, ...Object.fromEntries(changed) }
}

function noteChange(changed: [string, unknown][], name: string, before: unknown, after: unknown): void {
  if (before !== after) changed.push([name, after])
}

/** A list whose items have not changed stays the same object, so that React need not compare it. */
function shownChild(child: unknown): unknown {
  if (typeof child === 'string') return visibleLines(child)
  if (!Array.isArray(child) || !child.some((each) => shownChild(each) !== each)) return child
  return child.map(shownChild)
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
