import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { withOwnLinks } from './own-links.ts'

const onHost = '/api/v1/namespaces/host/pods/http:v-web-abc:80/proxy'
const own = '/api/v1/namespaces/shop/services/web/proxy'

async function passed(type: string, pieces: readonly string[]): Promise<string> {
  const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  const answer = withOwnLinks({ form: 'answer', status: 200, headers: ['Content-Type', type], body }, onHost, own)
  return answer.form === 'answer' ? text(answer.body) : ''
}

const page = (link: string) => `<a href="${link}/a">a</a><a href="${link}/b">b</a>`

it.each([
  ['in one piece', [page(onHost)]],
  ['in pieces of one byte', [...page(onHost)]],
  ['divided in the middle', [page(onHost).slice(0, 30), page(onHost).slice(30)]],
  ['that ends with a link', [onHost, onHost]],
])('links of a page %s name the object of the virtual cluster', async (_, pieces) => {
  expect(await passed('text/html; charset=utf-8', pieces)).toBe(pieces.join('').replaceAll(onHost, own))
})

it.each(['', 'short', onHost.slice(0, -1)])('a page %j without a link stays as it is', async (content) => {
  expect(await passed('text/html', [content])).toBe(content)
})

it('what is no page stays as it is', async () => {
  expect(await passed('text/plain', [page(onHost)])).toBe(page(onHost))
})

it('the stated length is left out, since it changes', () => {
  const headers = ['Content-Type', 'text/html', 'Content-Length', '9']
  const answer = withOwnLinks({ form: 'answer', status: 200, headers, body: Readable.from([]) }, onHost, own)
  expect(answer.headers).toEqual(['Content-Type', 'text/html'])
})

it('a page that breaks off breaks off for its reader', async () => {
  const body = new Readable({ read: () => {} })
  const answer = withOwnLinks(
    { form: 'answer', status: 200, headers: ['content-type', 'text/html'], body },
    onHost,
    own,
  )
  body.destroy(new Error('the Pod is gone'))
  await expect(answer.form === 'answer' && text(answer.body)).rejects.toThrow('no longer needed')
})

it('a page whose connection was lost is not taken for the whole', async () => {
  const body = Object.assign(Readable.from([Buffer.from('half')]), { rstCode: 8 })
  const answer = withOwnLinks(
    { form: 'answer', status: 200, headers: ['content-type', 'text/html'], body },
    onHost,
    own,
  )
  await expect(answer.form === 'answer' && text(answer.body)).rejects.toThrow('no longer needed')
})

it('a reader that leaves ends the page at its source', async () => {
  const body = new Readable({ read: () => {} })
  const answer = withOwnLinks(
    { form: 'answer', status: 200, headers: ['content-type', 'text/html'], body },
    onHost,
    own,
  )
  if (answer.form === 'answer') answer.body.destroy()
  await expect.poll(() => body.destroyed).toBe(true)
})
