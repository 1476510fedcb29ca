import { isNoHttp } from '../../client/pool/answer-failure.ts'
import { SignOnFailure } from '../failure.ts'

/** An answer that is not read, since it is beyond the limits for answers of providers. */
export function unreadable(origin: string, problem: string): SignOnFailure {
  return new SignOnFailure('unreadable', `${origin} ${problem}`)
}

/** Why there is no answer, or only part of one. */
export function answerProblem(error: unknown, origin: string): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return unreadable(origin, 'sends an answer that is too large')
  }
  return isNoHttp(error) ? new Error(`${origin} sends an answer that is not HTTP/1.1 as it should be`) : error
}
