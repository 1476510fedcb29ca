import { isRefusal } from '../../api/error.ts'
import { FairQueue } from '../../server/fairness/fair-queue.ts'
import { SignOnFailure } from '../failure.ts'
import type { SignatureQuestion } from './signature-question.ts'
import { SignatureThread } from './signature-thread.ts'
import { untrusted } from './xml.ts'

/** Who sent the response, as far as that is known before it is verified. */
export interface ResponseSender {
  readonly network: string
  readonly signal: AbortSignal
}

/** One network may be that of an office. */
const turns = { places: 1, placesPerOwner: 1, waiting: 200, waitingPerOwner: 20, busy: 'too many answers are checked' }

/** Verifies responses of SAML providers one after the other; their networks take turns. */
export class SignatureChecks {
  readonly #queue = new FairQueue(turns)
  readonly #thread = new SignatureThread()

  /** The assertion as signed by one of the certificates. Rejects with `SignOnFailure`. */
  async signedAssertion(question: SignatureQuestion, { network, signal }: ResponseSender): Promise<string> {
    // A running check does not end with its request: a new thread for the next one would cost more.
    const checked = this.#queue.take({ owner: network, signal }, () => this.#thread.check(question))
    const signed = await checked.catch((error: unknown) => {
      if (isRefusal(error, 429)) throw new SignOnFailure('too-many', 'too many answers wait to be checked')
      throw new SignOnFailure('unavailable', 'the signature could not be checked')
    })
    if (signed === undefined) throw untrusted('no certificate of the connector has signed the response')
    return signed
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
