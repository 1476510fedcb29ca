/** One step of a path: into a member or an item, or into each of them. */
export type Step = { readonly type: 'member'; readonly name: string } | { readonly type: 'each' }

export interface ReadPath {
  readonly steps: readonly Step[]
  /** The length of the text that the steps cover. The rest is still being typed. */
  readonly length: number
}

/** `a`, `.a` and `.*`; `["a"]`, `['a']`, `[a]`, `[0]` and `[*]`. */
const step = /\.?([^.[\]"']+)|\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\]"']+))\]/y

/** The complete steps of a path. */
export function readSteps(text: string): ReadPath {
  const steps: Step[] = []
  let length = text.startsWith('$') ? 1 : 0
  for (;;) {
    step.lastIndex = length
    const found = step.exec(text)
    if (found === null) return { steps, length }
    steps.push(stepOf(found))
    length = step.lastIndex
  }
}

function stepOf([, dotted, double, single, bare]: RegExpExecArray): Step {
  const quoted = double ?? single
  if (quoted !== undefined) return { type: 'member', name: quoted.replaceAll(/\\(.)/g, '$1') }
  const name = dotted ?? bare ?? ''
  return name === '*' ? { type: 'each' } : { type: 'member', name }
}

const plainName = /^[A-Za-z_][\w-]*$/

export function printStep(step: Step, isFirst: boolean): string {
  if (step.type === 'each') return '[*]'
  const { name } = step
  if (/^\d+$/.test(name)) return `[${name}]`
  if (!plainName.test(name)) return `["${name.replaceAll(/["\\]/g, '\\$&')}"]`
  return isFirst ? name : `.${name}`
}
