import type { Document, ListAnswer } from '../../registry/contract.ts'

export function listMetadata(
  answer: ListAnswer,
): Pick<ListAnswer, 'resourceVersion' | 'continue' | 'remainingItemCount'> {
  const { resourceVersion, remainingItemCount } = answer
  return {
    resourceVersion,
    ...(answer.continue !== undefined && { continue: answer.continue }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  }
}

/** Lists up to this total size are encoded at once. */
const shortBytes = 64 * 1024

export function isShortList(documents: readonly Document[]): boolean {
  let bytes = 0
  return documents.every(({ itemJson }) => {
    bytes += itemJson.length
    return bytes <= shortBytes
  })
}
