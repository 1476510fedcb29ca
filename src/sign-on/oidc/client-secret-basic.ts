import type { ClientAuth } from 'openid-client'

/**
 * Client id and secret in a header. The library encodes characters that form encoding leaves as they are, such as a
 * dash; providers that do not decode then refuse a correct secret.
 */
export function clientSecretBasic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }
}

/** Form encoding (RFC 6749, 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length)
}
