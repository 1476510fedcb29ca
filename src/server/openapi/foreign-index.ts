import { createHash } from 'node:crypto'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { ServedFile } from '../contract.ts'

/** The paths of documents about APIs of groups, which may be those of servers behind this one. */
export const groupDocuments = '/openapi/v3/apis/'

/**
 * The index with the documents of servers of users, which are asked for them one by one, when a client wants them: what one of
 * them answers is its own affair, and nothing of it is kept. There is no hash, since that would have to be asked for.
 */
export function withForeignDocuments(index: ServedFile, apis: readonly AggregatedApi[]): ServedFile {
  const reached = apis.filter(({ isAvailable }) => isAvailable)
  if (reached.length === 0) return index
  const { paths }: { readonly paths: object } = JSON.parse(index.body.toString())
  const more = reached.map(({ group, version }) => [
    `apis/${group}/${version}`,
    { serverRelativeURL: `${groupDocuments}${group}/${version}` },
  ])
  const body = Buffer.from(JSON.stringify({ paths: { ...Object.fromEntries(more), ...paths } }))
  const hash = createHash('sha512').update(body).digest('hex').toUpperCase()
  return { body, hash, etag: `"${hash}"` }
}
