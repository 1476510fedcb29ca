import type { RequestInfo, ResourceInfo } from '../../server/request/request-info.ts'

/**
 * Requests that may leave a credential behind in an API: `token` asks for one of a service account, `secret` may
 * contain one that the API fills in, `certificate` asks for one, and `approval` grants one that was requested.
 */
export type LastingRequest = 'token' | 'secret' | 'certificate' | 'approval'

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch'])

/** The patch type that creates missing objects. */
export const applyPatchType = 'application/apply-patch+yaml'

/** Undefined for all other requests. */
export function lastingRequest(info: RequestInfo, contentType: string): LastingRequest | undefined {
  if (info.form === 'path' || !writes.has(info.verb)) return undefined
  switch (`${info.group}/${info.resource}`) {
    case '/serviceaccounts':
      return info.subresource === 'token' ? 'token' : undefined
    case '/secrets':
      return info.subresource === '' ? 'secret' : undefined
    case 'certificates.k8s.io/certificatesigningrequests':
      return certificateRequest(info, contentType)
    default:
      return undefined
  }
}

/** The spec of a certificate request cannot be changed after its creation. */
function certificateRequest({ verb, subresource }: ResourceInfo, contentType: string): LastingRequest | undefined {
  if (subresource === 'approval') return 'approval'
  const isNew = verb === 'create' || (verb === 'patch' && contentType === applyPatchType)
  return subresource === '' && isNew ? 'certificate' : undefined
}
