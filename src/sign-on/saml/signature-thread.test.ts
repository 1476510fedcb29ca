import { expect, it, onTestFinished } from 'vitest'
import type { SignatureQuestion } from './signature-question.ts'
import { SignatureThread } from './signature-thread.ts'

/** The library refuses such settings at a point where it is not expected to answer. */
const unsettled = { callbackUrl: '', issuer: '', idpCert: '' }
const deadly: SignatureQuestion = { xml: '<a/>', settings: unsettled, certificates: ['none'] }
const harmless: SignatureQuestion = { ...deadly, certificates: [] }

it('a check that kills the thread fails, and the next one gets another thread', async () => {
  const thread = new SignatureThread()
  onTestFinished(() => thread.close())
  await expect(thread.check(deadly)).rejects.toThrow('has ended')
  expect(await thread.check(harmless)).toBeUndefined()
})

it('a closed thread rejects pending checks, and can be used again', async () => {
  const thread = new SignatureThread()
  onTestFinished(() => thread.close())
  const left = expect(thread.check(harmless)).rejects.toThrow('has ended')
  await thread.close()
  await left
  expect(await thread.check(harmless)).toBeUndefined()
})
