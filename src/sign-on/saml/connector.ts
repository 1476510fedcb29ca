import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import type { ConnectorSpec, SamlConnector } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { ExpectedAnswer, ProviderAnswer, ProviderIdentity, RedirectConnector } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'
import type { UsedOnce } from '../stored/used-once.ts'
import { readAssertion } from './assertion.ts'
import { usableCertificates } from './certificates.ts'
import { samlIdentity } from './identity.ts'
import { requireExpected } from './meant-for-us.ts'
import { nameIdUris } from './names.ts'
import { readResponse } from './response-shape.ts'
import type { SignatureChecks } from './signature-checks.ts'
import { untrusted } from './xml.ts'

export interface SamlOptions {
  readonly name: string
  readonly spec: ConnectorSpec
  readonly used: Pick<UsedOnce, 'take'>
  readonly checks: SignatureChecks
  readonly clock: Clock
  readonly random: Random
}

const defaultSkewSeconds = 300
const idBytes = 20

/** A SAML 2.0 identity provider, which is called by redirect and answers with a form. */
export class SamlProvider implements RedirectConnector {
  readonly form = 'redirect'
  readonly answersBy = 'form'
  readonly #options: SamlOptions
  readonly #settings: SamlConnector

  constructor(options: SamlOptions) {
    this.#options = options
    this.#settings = options.spec.saml ?? {}
  }

  async begin(redirectUri: string): ReturnType<RedirectConnector['begin']> {
    // An XML name must not begin with a digit.
    const requestId = `_${Buffer.from(this.#options.random.bytes(idBytes)).toString('hex')}`
    const saml = new SAML({ ...this.#librarySettings(redirectUri), generateUniqueId: () => requestId })
    const url = new URL(await saml.getAuthorizeUrlAsync('', undefined, {}))
    const expected: ExpectedAnswer = { state: requestId, nonce: '', codeVerifier: '', redirectUri }
    return { url, expected }
  }

  async finish({ form, expected, network }: ProviderAnswer, signal: AbortSignal): Promise<ProviderIdentity> {
    const { spec, used, clock, checks } = this.#options
    const { redirectUri: recipient, state: requestId } = expected
    const encoded = form?.get('SAMLResponse')
    if (encoded === undefined || form?.all('SAMLResponse').length !== 1) throw untrusted('the form holds no response')
    const shaped = readResponse(encoded, { allowsSha1: this.#settings.allowSha1 === true })
    if (shaped.inResponseTo !== requestId) {
      throw new SignOnFailure('expired', 'the response is the answer to another sign-in, or to none')
    }
    if (shaped.destination !== '' && shaped.destination !== recipient) {
      throw untrusted('the response is for another destination')
    }
    const question = {
      xml: shaped.xml,
      settings: { ...this.#librarySettings(recipient), wantAuthnResponseSigned: shaped.isSigned },
      certificates: usableCertificates(this.#settings.certificates ?? []),
    }
    const assertion = readAssertion(await checks.signedAssertion(question, { network, signal }))
    const skewMs = (this.#settings.clockSkewSeconds ?? defaultSkewSeconds) * 1000
    const endMs = requireExpected(assertion, {
      issuer: this.#settings.issuer ?? '',
      audience: this.#entityId(),
      recipient,
      requestId,
      nowMs: clock.now(),
      skewMs,
    })
    const identity = samlIdentity(assertion, spec)
    if (!(await used.take(JSON.stringify([this.#options.name, assertion.issuer, assertion.id]), endMs))) {
      throw new SignOnFailure('expired', 'the assertion was used before')
    }
    const { sessionEndMs } = assertion
    return sessionEndMs === undefined ? identity : { ...identity, latestEndMs: sessionEndMs + skewMs }
  }

  /** There is no way to ask the provider about a user again. */
  async refresh(): Promise<never> {
    throw untrusted('a SAML provider is asked at the sign-in only')
  }

  async *test(): AsyncIterable<string> {
    const { ssoUrl = '', issuer = '' } = this.#settings
    const certificates = usableCertificates(this.#settings.certificates ?? [])
    yield `answers of ${issuer} are checked with ${certificates.length} certificate${certificates.length === 1 ? '' : 's'}`
    yield `people would be sent to ${ssoUrl.split('?')[0]}`
    yield `assertions must be for ${this.#entityId()}`
    yield `the provider is set up with the metadata at /auth/saml/${this.#options.name}`
  }

  /** What an operator configures at the provider. */
  metadata(redirectUri: string): string {
    return new SAML(this.#librarySettings(redirectUri)).generateServiceProviderMetadata(null, null)
  }

  close(): Promise<void> {
    return this.#options.checks.close()
  }

  /**
   * The audience that assertions must have. Only the connector determines it: the host of a client's request may be
   * that of another service of the same provider, whose assertions would count here.
   */
  #entityId(): string {
    const { entityId = '', redirectUri = '' } = this.#settings
    if (entityId !== '') return entityId
    if (redirectUri !== '') return redirectUri.replace('/auth/callback/', '/auth/saml/')
    throw new SignOnFailure(
      'misconfigured',
      'the connector has neither spec.saml.redirectUri nor spec.saml.entityId: set one',
    )
  }

  /** Times, audience and recipient are checked against our own clock and URLs later. */
  #librarySettings(redirectUri: string): SamlConfig {
    const { ssoUrl = '', certificates = [], nameIdFormat = 'persistent' } = this.#settings
    return {
      callbackUrl: redirectUri,
      entryPoint: ssoUrl,
      issuer: this.#entityId(),
      audience: false,
      idpIssuer: this.#settings.issuer ?? '',
      idpCert: usableCertificates(certificates),
      identifierFormat: nameIdUris[nameIdFormat],
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
      validateInResponseTo: ValidateInResponseTo.never,
      acceptedClockSkewMs: -1,
    }
  }
}
