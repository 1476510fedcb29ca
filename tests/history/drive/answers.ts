import type { EventType, Refusal, Sight } from '../checker/history.ts'

/** An object, a list or a Status, reduced to the fields that histories use. */
export interface Body {
  readonly metadata?: {
    readonly name?: string
    readonly uid?: string
    readonly resourceVersion?: string
    readonly continue?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly data?: Readonly<Record<string, string>>
  readonly items?: readonly Body[]
  readonly reason?: string
  readonly message?: string
  readonly code?: number
  readonly details?: { readonly uid?: string }
}

export interface WatchLine {
  readonly type: EventType | 'BOOKMARK' | 'ERROR'
  readonly object: Body
}

/** Undefined if it is not JSON. */
export function parsed<T extends Body | WatchLine>(text: string): T | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function sightOf({ metadata = {}, data = {} }: Body): Sight {
  const { name = '', uid = '' } = metadata
  return { name, uid, revision: revisionIn({ metadata }), data }
}

export function revisionIn({ metadata }: Body): number {
  return Number(metadata?.resourceVersion)
}

/** Undefined if the answer is ambiguous about the outcome. */
export function refusalIn(status: number, { reason }: Body): Refusal | undefined {
  if (status === 404 && reason === 'NotFound') return 'absent'
  if (status === 409) return reason === 'AlreadyExists' ? 'present' : 'conflict'
  return status === 503 || status === 429 ? 'unavailable' : undefined
}

/** Statuses with which a server may report that it is in trouble. */
export function isTrouble(status: number): boolean {
  return status === 500 || status === 503 || status === 504 || status === 429
}
