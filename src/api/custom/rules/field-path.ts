import type { Structure } from '../structure.ts'

/** Where a rule places its error, relative to the path of the rule. Undefined if there is no such place. */
export function ruleFieldPath(text: string, structure: Structure): string | undefined {
  let path = ''
  let current: Structure | undefined = structure
  let rest = text
  while (rest !== '') {
    const step = firstStep(rest)
    const isNamed: boolean = (current?.properties.size ?? 0) > 0
    current = step === undefined ? undefined : memberAt(current, step.name)
    if (step === undefined || current === undefined) return undefined
    path += isNamed ? `.${step.name}` : `[${step.name}]`
    rest = rest.slice(step.length)
  }
  return path
}

interface PathStep {
  readonly name: string
  readonly length: number
}

/** `.name` or `['name']`. */
function firstStep(text: string): PathStep | undefined {
  const [dotted, name] = /^\.([^.[\]]+)/.exec(text) ?? []
  if (dotted !== undefined && name !== undefined) return { name, length: dotted.length }
  const [bracketed, quoted] = /^\['((?:[^'\\]|\\[abfnrtv'\\])*)'\]/.exec(text) ?? []
  if (bracketed === undefined || quoted === undefined) return undefined
  return {
    name: quoted.replace(/\\(.)/g, (_, letter: string) => escapes.get(letter) ?? letter),
    length: bracketed.length,
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

function memberAt(structure: Structure | undefined, name: string): Structure | undefined {
  if (structure === undefined) return undefined
  return structure.properties.size > 0 ? structure.properties.get(name) : structure.additional
}
