import type { AccessKeySpec } from '../api/objects.ts'
import { durationText } from '../format/time.ts'
import { andList } from '../format/words.ts'
import { grantsInWords, isUnlimited } from './scope-words.ts'

/** What a key may do, for how long and for whom, in one sentence. */
export function keySentence(spec: AccessKeySpec, owner: string): string {
  if (spec.type === 'OIDCRefreshToken')
    return `This is a refresh token for ${owner}. It may keep its user signed in to ${spec.oidcProvider?.clientId ?? ''}, and nothing else, ${lifeText(spec)}.`
  return `This key acts for ${owner}. It may ${andList(grantsInWords(spec.scope))}${limitText(spec)}, ${lifeText(spec)}.`
}

function limitText({ scope }: AccessKeySpec): string {
  return isUnlimited(scope) ? '' : ', as far as its owner may'
}

export function lifeText({ ttl = 0, ttlAfterLastActivity = false }: AccessKeySpec): string {
  if (ttl === 0) return 'until it is deleted or disabled'
  return ttlAfterLastActivity ? `until it has not been used for ${durationText(ttl)}` : `for ${durationText(ttl)}`
}
