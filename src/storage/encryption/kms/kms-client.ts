import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import { systemClock } from '../../../base/clock.ts'
import { systemRandom } from '../../../base/random.ts'
import { EncryptionKeyMissing } from '../contract.ts'
import {
  decodeEncrypted,
  decodePlaintext,
  decodeStatus,
  encodeDecrypt,
  encodeEncrypt,
  type KmsEncrypted,
  type KmsStatus,
} from './messages.ts'

const service = '/v2.KeyManagementService'
const timeoutMs = 10_000
/** The sum of Kubernetes' own limits, and what fits before a value. */
const largestAnswer = 36 * 1024

/** Speaks version 2 of Kubernetes' KMS protocol with a plugin on this machine. */
export class KmsClient {
  readonly #address: string
  readonly #client: Client

  constructor(address: string) {
    this.#address = address
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      'grpc.max_receive_message_length': largestAnswer,
      'grpc.enable_http_proxy': 0,
    })
  }

  async status(): Promise<KmsStatus> {
    const found = decodeStatus(await this.#call('Status', Buffer.alloc(0)))
    if (found.health === 'ok' && found.keyId !== '') return found
    throw this.#failure(`says that it is not healthy: ${found.health.slice(0, 200)}`)
  }

  /**
   * Returns the plugin's response unchanged, since decrypting the data key needs it. The response is decrypted once as
   * a check: a plugin that cannot decrypt it would cost every value written from now on, which would only be noticed at
   * the next start.
   */
  async encrypt(plaintext: Buffer): Promise<Buffer> {
    const answer = await this.#call('Encrypt', encodeEncrypt(plaintext, systemRandom.uuid()))
    const encrypted = decodeEncrypted(answer)
    if (encrypted.ciphertext.length === 0) throw this.#failure('has encrypted nothing')
    if ((await this.decrypt(encrypted)).equals(plaintext)) return answer
    throw this.#failure('cannot decrypt its own output')
  }

  async decrypt(encrypted: KmsEncrypted): Promise<Buffer> {
    return decodePlaintext(await this.#call('Decrypt', encodeDecrypt(encrypted, systemRandom.uuid())))
  }

  close(): void {
    this.#client.close()
  }

  #call(method: string, request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        `${service}/${method}`,
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        request,
        { deadline: systemClock.now() + timeoutMs },
        (error, answer) => {
          if (error !== null) reject(this.#failure(reasonOf(method, error), error))
          else resolve(answer ?? Buffer.alloc(0))
        },
      )
    })
  }

  #failure(what: string, cause?: unknown): EncryptionKeyMissing {
    return new EncryptionKeyMissing(`the KMS plugin at ${this.#address} ${what}`, { cause })
  }
}

function reasonOf(method: string, { code, details }: ServiceError): string {
  if (code === status.DEADLINE_EXCEEDED) return `has not answered ${method} within ${timeoutMs / 1000} seconds`
  if (code !== status.UNAVAILABLE) return `refuses ${method}: ${details.slice(0, 200)}`
  const why = /connect E[A-Z]+/.exec(details)?.[0] ?? details.slice(0, 200)
  return `cannot be reached (${why}): start it, or correct its address in the file with the encryption keys`
}
