import { expect, it } from 'vitest'
import { eachPage } from './pages.ts'

it('pages are requested one by one, each with the token of the last', async () => {
  const asked: (string | undefined)[] = []
  const client = {
    origin: 'https://platform',
    ask: async ({ query }: { readonly query?: Readonly<Record<string, string>> }) => {
      asked.push(query?.continue)
      return { metadata: asked.length < 3 ? { continue: `page-${asked.length}` } : {} }
    },
    close: () => {},
  }
  const before: number[] = []
  for await (const _ of eachPage({ client, path: '/apis/x' }, 'application/json', 'things')) before.push(asked.length)
  expect(before).toEqual([1, 2, 3])
  expect(asked).toEqual([undefined, 'page-1', 'page-2'])
})
