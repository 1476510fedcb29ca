import type { ResourceContext } from '../context.ts'
import type { WriteAnswer, WriteRequest } from '../contract.ts'

/** The answer to a write once others have completed the object. Other writers of the object need not wait meanwhile. */
export function settledAnswer(
  context: ResourceContext,
  request: WriteRequest,
  answer: Promise<WriteAnswer>,
): Promise<WriteAnswer> {
  const { settle } = context.hooks
  if (settle === undefined || request.dryRun || request.subresource !== '') return answer
  return answer.then(async (written) => {
    const document = await settle(context, written.document, request)
    return document === undefined ? written : { ...written, document }
  })
}
