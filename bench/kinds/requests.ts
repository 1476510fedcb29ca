import type { Subject } from '../contract.ts'
import type { Client } from '../load/clients.ts'
import { type LoadResult, runClosedLoop } from '../load/closed-loop.ts'
import type { Asked } from '../load/lane.ts'

export type BodyAt = (name: string) => string

export interface Creations {
  readonly collection: string
  readonly bodyAt: BodyAt
  readonly count: number
}

export function createdName(index: number): string {
  return `created-${String(index).padStart(5, '0')}`
}

export async function create(
  subject: Subject,
  client: Client,
  { collection, bodyAt, count }: Creations,
): Promise<LoadResult> {
  let index = 0
  const next = (): Asked => ({ method: 'POST', path: collection, body: bodyAt(createdName(index++)) })
  return drive(subject, client, next, 201, { requests: count })
}

/** Requests each path in turn. */
export async function read(
  subject: Subject,
  client: Client,
  pathAt: (index: number) => string,
  durationMs: number,
): Promise<LoadResult> {
  let index = 0
  return drive(subject, client, () => ({ method: 'GET', path: pathAt(index++) }), 200, { durationMs })
}

async function drive(
  subject: Subject,
  client: Client,
  next: () => Asked,
  expectedStatus: number,
  limit: { readonly requests: number } | { readonly durationMs: number },
): Promise<LoadResult> {
  const lanes = await client.open(subject)
  const result = await runClosedLoop(subject, lanes, { next, expectedStatus, limit })
  for (const lane of lanes) lane.close()
  return result
}
