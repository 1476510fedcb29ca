import { describe } from 'vitest'
import { itAnswersAsOneStoreOfRevisions } from './rounds.ts'

describe('while servers and connections fail, a server with the embedded store answers', () => {
  itAnswersAsOneStoreOfRevisions('embedded')
})
