import type { KubeObject } from './objects.ts'
import { UnreadableAnswer } from './tenant-answer.ts'

type Members = Readonly<Record<string, unknown>>

const longestText = 1_000
const deepest = 64

export function membersOf(value: unknown, what: string): Members {
  if (isMembers(value)) return value
  throw new UnreadableAnswer(`${what} is no object`)
}

export function listOf(value: unknown, what: string, most: number): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.slice(0, most)
  throw new UnreadableAnswer(`${what} is no list`)
}

/** A text for one line, no longer than a user reads. Empty for any other value. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value.length > longestText ? `${value.slice(0, longestText)}…` : value
}

export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : 0
}

/** An object of any kind, with usable metadata, and no deeper than a user would write one. */
export function objectOf(value: unknown): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = membersOf(value, 'it')
  if (depthOf(value, 0) > deepest) throw new UnreadableAnswer('it is nested too deep')
  const { annotations, ...others } = membersOf(metadata, 'metadata')
  const { name, namespace, uid, resourceVersion } = others
  return {
    ...rest,
    apiVersion: textOf(apiVersion),
    kind: textOf(kind),
    metadata: {
      ...others,
      ...texts({ name, namespace, uid, resourceVersion }),
      ...(isMembers(annotations) ? { annotations: texts(annotations) } : {}),
    },
  }
}

function texts(members: Members): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

function depthOf(value: unknown, depth: number): number {
  if (depth > deepest || typeof value !== 'object' || value === null) return depth
  return Math.max(depth, ...Object.values(value).map((member) => depthOf(member, depth + 1)))
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
