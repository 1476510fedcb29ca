import { ApiError } from '../../api/error.ts'
import { qualifiedResource } from '../../api/kind.ts'
import type { AdmissionAttributes } from '../webhooks/contract.ts'

const codes: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['RequestEntityTooLarge', 413],
])

/** `reason` comes from the policy; an unsupported one counts as `Invalid`. */
export function deniedByPolicy(message: string, reason: string, { sent, name }: AdmissionAttributes): ApiError {
  const { group, resource } = sent.resource
  const what = qualifiedResource({ plural: resource, group })
  const code = codes.get(reason)
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${what} ${JSON.stringify(name)} is forbidden: ${message}`,
    reason: code === undefined ? 'Invalid' : reason,
    details: { name, ...(group !== '' && { group }), kind: resource, causes: [{ message }] },
    code: code ?? 422,
  })
}
