import type { AnyNode, MemberExpression } from 'acorn'
import { nearestName } from '../../api/tenant-config/did-you-mean.ts'
import type { ContextUse, ObjectUse } from '../contract.ts'
import type { Visit } from './walk.ts'

const members = ['vcluster', 'hostObject', 'virtualObject', 'path']
const vclusterMembers = ['name', 'namespace', 'config']

/** For an expression that mentions `context` only as a whole. */
export const everything: ContextUse = { vcluster: true, path: true, hostObject: 'all', virtualObject: 'all' }

export interface UnknownMember {
  readonly offset: number
  readonly message: string
}

/** Determines which parts of `context` an expression accesses, while it is walked. */
export class ContextUseCollector {
  #all = false
  readonly #members = new Set<string>()
  readonly #fields = { hostObject: new Set<string>(), virtualObject: new Set<string>() }
  #unknown: UnknownMember | undefined

  see(visit: Visit): void {
    if (visit.node.type !== 'Identifier' || visit.node.name !== 'context') return
    const names = namesBehind(visit)
    if (names.length === 0) this.#all = true
    else this.#record(names, visit.node)
  }

  get firstUnknown(): UnknownMember | undefined {
    return this.#unknown
  }

  result(): ContextUse {
    if (this.#all) return everything
    return {
      vcluster: this.#members.has('vcluster'),
      path: this.#members.has('path'),
      hostObject: this.#objectUse('hostObject'),
      virtualObject: this.#objectUse('virtualObject'),
    }
  }

  #record([member = '', field]: readonly string[], node: AnyNode): void {
    this.#unknown ??= unknownMember('context', member, members, node)
    if (member === 'vcluster' && field !== undefined) {
      this.#unknown ??= unknownMember('context.vcluster', field, vclusterMembers, node)
    }
    if (field !== undefined && (member === 'hostObject' || member === 'virtualObject')) this.#fields[member].add(field)
    else this.#members.add(member)
  }

  #objectUse(member: 'hostObject' | 'virtualObject'): ObjectUse {
    return this.#members.has(member) ? 'all' : [...this.#fields[member]]
  }
}

/** The names after `context` in `context.a?.b["c"]`, as far as they are known. A called method is not one. */
function namesBehind(context: Visit): readonly string[] {
  const names: string[] = []
  let outermost = context
  for (let around = context.parent; around !== undefined && names.length < 3; around = around.parent) {
    const { node } = around
    if (node.type === 'MemberExpression' && node.object === outermost.node) {
      const name = memberName(node)
      if (name === undefined) return names
      names.push(name)
    } else if (node.type !== 'ParenthesizedExpression' && node.type !== 'ChainExpression') break
    outermost = around
  }
  return outermost.role === 'callee' ? names.slice(0, -1) : names
}

function memberName({ computed, property }: MemberExpression): string | undefined {
  if (property.type === 'Identifier') return computed ? undefined : property.name
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

function unknownMember(
  owner: string,
  name: string,
  known: readonly string[],
  node: AnyNode,
): UnknownMember | undefined {
  if (known.includes(name) || name in Object.prototype) return undefined
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? `it has ${known.join(', ')}` : `did you mean ${nearest}?`
  return { offset: node.start, message: `${owner} has no member ${name}; ${hint}` }
}
