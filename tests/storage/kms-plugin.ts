import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import protobuf from 'protobufjs'

/** A plugin for version 2 of Kubernetes' KMS protocol, written from its definition and not from our client. */
export interface KmsPlugin {
  readonly address: string
  /** Encrypts with a new key from now on. */
  rotate(): void
  forgetOldKeys(): void
  /** From now on it encrypts something other than its input. */
  encryptAnother(): void
  /** The number of requests to decrypt. */
  decryptions(): number
  stop(): Promise<void>
}

const { root } = protobuf.parse(
  `
  syntax = "proto3";
  package v2;
  message StatusRequest {}
  message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
  message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
  message DecryptResponse { bytes plaintext = 1; }
  message EncryptRequest { bytes plaintext = 1; string uid = 2; }
  message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }
`,
  { keepCase: true },
)

type Message = Record<string, unknown>
const bytesIn = (message: Message, field: string) =>
  Buffer.from(message[field] instanceof Uint8Array ? message[field] : [])

function method(name: string) {
  const request = root.lookupType(`v2.${name}Request`)
  const response = root.lookupType(`v2.${name}Response`)
  return {
    path: `/v2.KeyManagementService/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (message: Message) => Buffer.from(request.encode(message).finish()),
    requestDeserialize: (bytes: Buffer): Message => ({ ...request.decode(bytes) }),
    responseSerialize: (message: Message) => Buffer.from(response.encode(message).finish()),
    responseDeserialize: (bytes: Buffer): Message => ({ ...response.decode(bytes) }),
  }
}

export async function startKmsPlugin(socket: string): Promise<KmsPlugin> {
  const keys = new Map([['key-1', randomBytes(32)]])
  let current = 'key-1'
  let decryptions = 0
  let isWrong = false
  const answering =
    (answer: (request: Message) => Message) =>
    ({ request }: ServerUnaryCall<Message, Message>, callback: sendUnaryData<Message>) => {
      try {
        callback(null, answer(request))
      } catch (error) {
        callback({ code: status.INTERNAL, details: String(error) })
      }
    }
  const server = new Server()
  server.addService(
    { Status: method('Status'), Encrypt: method('Encrypt'), Decrypt: method('Decrypt') },
    {
      Status: answering(() => ({ version: 'v2', healthz: 'ok', key_id: current })),
      Encrypt: answering((request) => {
        const nonce = randomBytes(12)
        const cipher = createCipheriv('aes-256-gcm', keys.get(current) ?? '', nonce)
        const ciphertext = Buffer.concat([
          cipher.update(isWrong ? randomBytes(32) : bytesIn(request, 'plaintext')),
          cipher.final(),
          cipher.getAuthTag(),
        ])
        return { ciphertext, key_id: current, annotations: { 'nonce.kms.example.com': nonce } }
      }),
      Decrypt: answering((request) => {
        decryptions++
        const key = keys.get(String(request.key_id))
        if (key === undefined) throw new Error('no such key')
        const ciphertext = bytesIn(request, 'ciphertext')
        const nonce = bytesIn({ ...(request.annotations as Message) }, 'nonce.kms.example.com')
        const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(ciphertext.subarray(-16))
        return { plaintext: Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]) }
      }),
    },
  )
  const address = `unix://${socket}`
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    )
  })
  return {
    address,
    rotate: () => {
      current = `key-${keys.size + 1}`
      keys.set(current, randomBytes(32))
    },
    forgetOldKeys: () => {
      for (const name of keys.keys()) if (name !== current) keys.delete(name)
    },
    encryptAnother: () => {
      isWrong = true
    },
    decryptions: () => decryptions,
    stop: async () => server.forceShutdown(),
  }
}
