import type { ConcretePath, Path } from './path.ts'

const plainName = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** The text that parses to this path. */
export function printPatchPath(path: Path): string {
  let text = ''
  for (const element of path) {
    if (element.type === 'wildcard') text += '[*]'
    else text = appendStep(text, element.type === 'index' ? element.index : element.name)
  }
  return text
}

/** The same for one place in an object: `subsets[0].addresses[1].ip`. */
export function printConcretePath(path: ConcretePath): string {
  let text = ''
  for (const step of path) text = appendStep(text, step)
  return text
}

function appendStep(text: string, step: string | number): string {
  if (typeof step === 'number') return `${text}[${step}]`
  if (!plainName.test(step)) return `${text}["${step.replace(/[\\"]/g, '\\$&')}"]`
  return text === '' ? step : `${text}.${step}`
}
