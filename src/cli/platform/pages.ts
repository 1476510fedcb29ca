import { isJsonObject } from '../../base/json/member.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import type { Session } from './session.ts'

const pageSize = '500'
const mostPages = 4_000

/** All objects that the caller may see, in pages that every server and proxy can handle. */
export async function listPages(
  session: Session,
  accept = 'application/json',
  collection = 'ownedaccesskeys',
): Promise<readonly JsonBody[]> {
  const pages: JsonBody[] = []
  for await (const page of eachPage(session, accept, collection)) pages.push(page)
  return pages
}

/** The same, for a caller that keeps little of each page. */
export async function* eachPage(
  { client, path }: Pick<Session, 'client' | 'path'>,
  accept: string,
  collection: string,
): AsyncGenerator<JsonBody> {
  const tokens = new Set<string | undefined>()
  let next: string | undefined
  do {
    if (tokens.has(next) || tokens.size >= mostPages)
      throw new Error(`${client.origin}: the list of ${collection} does not end; is that a platform?`)
    tokens.add(next)
    const query = { limit: pageSize, ...(next === undefined ? {} : { continue: next }) }
    const page = await client.ask({ path: `${path}/${collection}`, query, accept })
    yield page
    next = continueOf(page)
  } while (next !== undefined)
}

function continueOf({ metadata }: JsonBody): string | undefined {
  const token = isJsonObject(metadata) ? metadata.continue : undefined
  return typeof token === 'string' && token !== '' ? token : undefined
}
