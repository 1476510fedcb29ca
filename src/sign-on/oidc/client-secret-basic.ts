import type { ClientAuth } from 'openid-client'

/**
 * Name and secret of the client in a header. The library encodes characters that a form leaves as they are, such as a dash; providers that do
 * not decode what they get then refuse a secret that is right.
 */
export function clientSecretBasic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }
}

/** As a value of a form (RFC 6749, 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length)
}
