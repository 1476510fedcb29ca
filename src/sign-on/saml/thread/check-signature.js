import { parentPort } from 'node:worker_threads'
import { SAML } from '@node-saml/node-saml'

/**
 * The thread in which signatures are checked. Plain JavaScript, so that Node runs it from the sources as it does from the build.
 *
 * @typedef {import('../signature-question.ts').SignatureQuestion} SignatureQuestion
 */

/**
 * The assertion as it was signed by one of the certificates. Undefined: by none.
 *
 * @param {SignatureQuestion} question
 */
async function signedAssertion({ xml, settings, certificates }) {
  const SAMLResponse = Buffer.from(xml).toString('base64')
  for (const idpCert of certificates) {
    const saml = new SAML({ ...settings, idpCert })
    const checked = await saml.validatePostResponseAsync({ SAMLResponse }).catch(() => undefined)
    const signed = checked?.profile?.getAssertionXml?.()
    if (signed !== undefined) return signed
  }
  return undefined
}

parentPort?.on('message', async (/** @type {SignatureQuestion} */ question) => {
  parentPort?.postMessage(await signedAssertion(question))
})
