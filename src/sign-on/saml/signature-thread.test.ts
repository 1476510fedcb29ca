import { expect, it, onTestFinished } from 'vitest'
import type { SignatureQuestion } from './signature-question.ts'
import { SignatureThread } from './signature-thread.ts'

/** The library refuses such settings at a point where it is not expected to answer. */
const unsettled = { callbackUrl: '', issuer: '', idpCert: '' }
const deadly: SignatureQuestion = { xml: '<a/>', settings: unsettled, certificates: ['none'] }
const harmless: SignatureQuestion = { ...deadly, certificates: [] }

it('a check that ends the thread is told so, and the next one has another thread', async () => {
  const thread = new SignatureThread()
  onTestFinished(() => thread.close())
  await expect(thread.check(deadly)).rejects.toThrow('has ended')
  expect(await thread.check(harmless)).toBeUndefined()
})

it('a thread that is closed leaves no check without an answer, and can be asked again', async () => {
  const thread = new SignatureThread()
  onTestFinished(() => thread.close())
  const left = expect(thread.check(harmless)).rejects.toThrow('has ended')
  await thread.close()
  await left
  expect(await thread.check(harmless)).toBeUndefined()
})
