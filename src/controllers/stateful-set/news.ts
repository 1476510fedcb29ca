import { errorText } from '../../base/error-text.ts'
import type { News } from '../run/event-limits.ts'

type Verb = 'create' | 'update' | 'delete'

interface Told {
  readonly set: string
  readonly pod: string
}

const successful: Readonly<Record<Verb, string>> = {
  create: 'SuccessfulCreate',
  update: 'SuccessfulUpdate',
  delete: 'SuccessfulDelete',
}

const failed: Readonly<Record<Verb, string>> = {
  create: 'FailedCreate',
  update: 'FailedUpdate',
  delete: 'FailedDelete',
}

export function podDone(verb: Verb, { set, pod }: Told): News {
  const message = `${verb} Pod ${pod} in StatefulSet ${set} successful`
  return { type: 'Normal', reason: successful[verb], message }
}

export function podRefused(verb: Verb, { set, pod }: Told, error: unknown): News {
  const message = `${verb} Pod ${pod} in StatefulSet ${set} failed error: ${errorText(error)}`
  return { type: 'Warning', reason: failed[verb], message }
}

export function claimCreated(claim: string, { set, pod }: Told): News {
  const message = `create Claim ${claim} Pod ${pod} in StatefulSet ${set} success`
  return { type: 'Normal', reason: successful.create, message }
}

export function claimRefused(claim: string, { set, pod }: Told, error: unknown): News {
  const message = `create Claim ${claim} for Pod ${pod} in StatefulSet ${set} failed error: ${errorText(error)}`
  return { type: 'Warning', reason: failed.create, message }
}
