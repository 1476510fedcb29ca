import { expect, it } from 'vitest'
import { clientSecretBasic } from './client-secret-basic.ts'

function sentFor(id: string, secret: string): string {
  const headers = new Headers()
  const [server, client] = [{ issuer: 'https://id.example.com' }, { client_id: id }]
  clientSecretBasic(secret)(server, client, new URLSearchParams(), headers)
  const [scheme, encoded = ''] = (headers.get('authorization') ?? '').split(' ')
  return `${scheme} ${Buffer.from(encoded, 'base64').toString()}`
}

it.each([
  ['usual characters stay unchanged', 'my-app.example', 'aZ09-_.*', 'Basic my-app.example:aZ09-_.*'],
  ['a colon does not end the name', 'a:b', 'c:d', 'Basic a%3Ab:c%3Ad'],
  ['reserved characters of a form are encoded', 'id', 'a+b c%/=&', 'Basic id:a%2Bb+c%25%2F%3D%26'],
  ['other letters are UTF-8', 'id', 'ü', 'Basic id:%C3%BC'],
])('%s', (_, id, secret, sent) => {
  expect(sentFor(id, secret)).toBe(sent)
})
