import type { Exchange } from '../server/exchange.ts'
import { headerOf } from '../server/http.ts'
import { SignOnFailure } from './failure.ts'

/** Only a browser sets the header, and to this value only for a form of this server. */
export function requireOwnForm({ request }: Exchange): void {
  const site = headerOf(request, 'sec-fetch-site')
  if (site === undefined) throw new SignOnFailure('old-browser', 'the browser does not say where the form came from')
  if (site !== 'same-origin') throw new SignOnFailure('expired', `the form came from another page (${site})`)
}
