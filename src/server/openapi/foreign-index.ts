import { createHash } from 'node:crypto'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { ServedFile } from '../contract.ts'

/** The path prefix of documents about API groups, which may be served by servers behind APIServices. */
export const groupDocuments = '/openapi/v3/apis/'

/**
 * The index including the documents of servers behind APIServices. These are requested one by one when a client wants
 * them; nothing of their answers is kept. They have no hash, because the server would have to be asked for it.
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
