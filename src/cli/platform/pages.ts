import { isJsonObject } from '../../base/json/member.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import type { Session } from './session.ts'

const pageSize = '500'
const mostPages = 4_000

/** All objects that the caller may see, in pages that every server and proxy can handle. */
export async function listPages(
  { client, path }: Session,
  accept = 'application/json',
  collection = 'ownedaccesskeys',
): Promise<readonly JsonBody[]> {
  const pages: JsonBody[] = []
  const tokens = new Set<string | undefined>()
  let next: string | undefined
  do {
    if (tokens.has(next) || tokens.size >= mostPages)
      throw new Error(`${client.origin}: the list of ${collection} does not end; is that a platform?`)
    tokens.add(next)
    const query = { limit: pageSize, ...(next === undefined ? {} : { continue: next }) }
    const page = await client.ask({ path: `${path}/${collection}`, query, accept })
    pages.push(page)
    next = continueOf(page)
  } while (next !== undefined)
  return pages
}

function continueOf({ metadata }: JsonBody): string | undefined {
  const token = isJsonObject(metadata) ? metadata.continue : undefined
  return typeof token === 'string' && token !== '' ? token : undefined
}
