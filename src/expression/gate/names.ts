import { nearestName } from '../../api/tenant-config/did-you-mean.ts'
import { addedNames, standardNames } from '../sandbox/guest/global-names.js'
import type { Visit } from './walk.ts'

const own = ['value', 'context', ...addedNames]
const known: ReadonlySet<string> = new Set([...own, ...standardNames])

/** Names that people try, and what to tell them. */
const hints: ReadonlyMap<string, string> = new Map([
  ...hint('runs without the network', 'fetch', 'XMLHttpRequest', 'WebSocket'),
  ...hint('runs outside of Node.js', 'process', 'require', 'module', 'exports', 'Buffer', 'global', '__dirname'),
  ...hint('has no timers and gives its value at once', 'setTimeout', 'setInterval', 'queueMicrotask', 'Promise'),
  ...hint('cannot make code from text', 'eval', 'Function'),
  ...hint('has no global object', 'globalThis', 'window', 'self'),
  ...hint('has no console', 'console'),
  ['valueExists', 'a patch is applied only where its path leads to a value'],
])

interface Mention {
  readonly name: string
  readonly offset: number
}

export interface UnknownName extends Mention {
  readonly message: string
}

/** Collects the names of an expression while it is walked. */
export class NameCollector {
  readonly #mentions: Mention[] = []
  readonly #declared = new Set<string>()

  see({ node, role }: Visit): void {
    if (node.type !== 'Identifier') return
    if (role === 'binding') this.#declared.add(node.name)
    else if (role !== 'typeof') this.#mentions.push({ name: node.name, offset: node.start })
  }

  /** Declared anywhere, which is enough: the sandbox decides whether it is in scope. */
  declares(name: string): boolean {
    return this.#declared.has(name)
  }

  firstUnknown(): UnknownName | undefined {
    const unknown = this.#mentions.find(({ name }) => !this.#isKnown(name))
    return unknown && { ...unknown, message: whyUnknown(unknown.name) }
  }

  #isKnown(name: string): boolean {
    return known.has(name) || this.#declared.has(name) || name === 'arguments'
  }
}

function whyUnknown(name: string): string {
  const reason = hints.get(name)
  if (reason !== undefined) return `${name} does not exist here: ${reason}`
  const nearest = nearestName(name, own) ?? nearestName(name, standardNames)
  return `${name} is not defined${nearest === undefined ? '' : `; did you mean ${nearest}?`}`
}

function hint(reason: string, ...names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, `an expression ${reason}`])
}
