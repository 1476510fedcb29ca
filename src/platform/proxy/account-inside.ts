import type { RequestTarget, ResourceAttributes, UserInfo } from '../../api/access.ts'
import { serviceUnavailable } from '../../api/error.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import type { AskUpstream } from './ask-upstream.ts'

/** The virtual cluster itself decides whether the user may act as a service account of it. */
export async function requireMayActAs(ask: AskUpstream, user: UserInfo, target: RequestTarget): Promise<void> {
  const { account, ...asker } = user
  if (account === undefined) return
  const kind = { group: '', version: '', resource: 'serviceaccounts', subresource: '' }
  const attributes: ResourceAttributes = { user: asker, target, verb: 'impersonate', ...kind, ...account }
  const { allowed, reason = '' } = (await ask(attributes)) ?? {}
  if (allowed === true) return
  if (allowed === false) throw forbiddenFor(attributes, { verdict: 'no-opinion', reason })
  throw serviceUnavailable(`the virtual cluster does not answer who may impersonate its service accounts: ${reason}`, 1)
}
