import { answerTo, assertionOf, responseAround, type SigningPair, signed, type Told } from './saml-issuer.ts'

export const sha1 = {
  signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
}
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Name, XML, and text of the refusal. */
export type SamlForgery = readonly [name: string, xml: () => string, reason: string]

export interface ForgeryParts {
  /** The key of the provider. */
  readonly own: () => SigningPair
  /** A key of a stranger. */
  readonly other: () => SigningPair
  /** The content of an honest answer. */
  readonly usual: Told & { readonly nowMs: number }
}

/** Forgeries that an attacker makes of an honest answer, by writing around and into it. */
export function samlForgeries({ own, other, usual }: ForgeryParts): readonly SamlForgery[] {
  const { nowMs } = usual
  const honest = () => answerTo(usual, own())
  const evil = (told: Partial<Told> = {}) => assertionOf({ ...usual, nameId: 'root', assertionId: '_evil', ...told })
  const withoutSignature = (xml: string) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '')
  const signatureIn = (xml: string) => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? ''
  const inner = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
  const declared = (dtd: string, xml: string) => `<?xml version="1.0"?>${dtd}${xml}`
  const swapped = (xml: string) => xml.replace('>ann-4711<', '>root<')

  return [
    ['an assertion without a signature', () => withoutSignature(honest()), 'the assertion is not signed'],
    [
      'an unsigned assertion in a signed response',
      () => signed(responseAround(usual, assertionOf(usual)), 'Response', own()),
      'the assertion is not signed',
    ],
    [
      'a signed assertion in a response with a signature of another',
      () => signed(honest(), 'Response', other()),
      'no certificate of the connector has signed the response',
    ],
    [
      'a signature of another key',
      () => answerTo(usual, other()),
      'no certificate of the connector has signed the response',
    ],
    ['a name that was changed', () => swapped(honest()), 'no certificate of the connector has signed the response'],
    [
      'wrapping: a second assertion before the signed one',
      () => responseAround(usual, evil(), inner(honest())),
      'the response has more than one assertion',
    ],
    [
      'wrapping: a second assertion behind the signed one',
      () => responseAround(usual, inner(honest()), evil()),
      'the response has more than one assertion',
    ],
    [
      'wrapping: the signed assertion within a forged one',
      () => responseAround(usual, evil().replace('</saml:Assertion>', `${inner(honest())}</saml:Assertion>`)),
      'the response has more than one assertion',
    ],
    [
      'wrapping: a forged assertion within the signed one',
      () => honest().replace('</saml:AuthnStatement>', `</saml:AuthnStatement>${evil()}`),
      'the response has more than one assertion',
    ],
    [
      'wrapping: the signed assertion in the signature of a forged one',
      () => {
        const moved = signatureIn(honest()).replace(
          '</ds:Signature>',
          `<ds:Object>${withoutSignature(inner(honest()))}</ds:Object></ds:Signature>`,
        )
        return responseAround(usual, evil().replace('</saml:Issuer>', `</saml:Issuer>${moved}`))
      },
      'the response has more than one assertion',
    ],
    [
      'wrapping: the signed assertion in extensions of the response',
      () => {
        const hidden = `<samlp:Extensions>${inner(honest())}</samlp:Extensions>`
        return responseAround(usual, hidden)
      },
      'the assertion is not where it must be',
    ],
    [
      'wrapping: the signed assertion in another response',
      () => responseAround(usual, `<x>${honest()}</x>`, evil()),
      'two elements of the message have the same ID',
    ],
    [
      'wrapping: a signature of another element in a forged assertion',
      () => responseAround(usual, evil().replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(honest())}`)),
      'a signature is not one over the element that it is in',
    ],
    [
      'wrapping: two elements with one ID',
      () => responseAround(usual, '<x ID="_assertion-1"/>', inner(honest())),
      'two elements of the message have the same ID',
    ],
    [
      'wrapping: an ID in other letters',
      () => responseAround(usual, '<x Id="_assertion-1"/>', inner(honest())),
      'two elements of the message have the same ID',
    ],
    [
      'wrapping: an assertion in a namespace of its own',
      () => responseAround(usual, '<evil:Assertion xmlns:evil="urn:evil"/>', inner(honest())),
      'the response has more than one assertion',
    ],
    [
      'wrapping: a signature with an object',
      () => honest().replace('</ds:Signature>', '<ds:Object/></ds:Signature>'),
      'a signature has parts that it must not have',
    ],
    [
      'wrapping: two signatures',
      () => honest().replace('</ds:Signature>', `</ds:Signature>${signatureIn(honest())}`),
      'an element has more than one signature',
    ],
    [
      'wrapping: a signature elsewhere',
      () => honest().replace('<saml:NameID', `${signatureIn(honest())}<saml:NameID`),
      'a signature is not where it must be',
    ],
    [
      'wrapping: two references',
      () => honest().replace('</ds:Reference>', '</ds:Reference><ds:Reference URI="#_response-1"/>'),
      'the message has more than one Reference',
    ],
    [
      'wrapping: a reference to nothing',
      () => honest().replace('URI="#_assertion-1"', 'URI=""'),
      'a signature is not one over the element that it is in',
    ],
    [
      'wrapping: two signed infos',
      () => honest().replace('<ds:SignedInfo>', '<ds:SignedInfo/><ds:SignedInfo>'),
      'a signature has parts that it must not have',
    ],
    [
      'confusion: another algorithm beside what is signed',
      () =>
        honest().replace(
          '<ds:SignedInfo>',
          `<ds:KeyInfo><ds:SignatureMethod Algorithm="${sha1.signatureAlgorithm}"/></ds:KeyInfo><ds:SignedInfo>`,
        ),
      'a signature has a part twice',
    ],
    [
      'confusion: another canonical form beside what is signed',
      () =>
        honest().replace(
          '<ds:SignedInfo>',
          `<ds:KeyInfo><x:CanonicalizationMethod xmlns:x="urn:x" Algorithm="${exclusive}WithComments"/></ds:KeyInfo><ds:SignedInfo>`,
        ),
      'a signature has a part twice',
    ],
    ['a comment in the name', () => honest().replace('ann-4711', 'ann<!-- -->-4711'), 'comment'],
    [
      'a signed name cut off by a comment',
      () => answerTo({ ...usual, nameId: 'root<!---->.evil.example' }, own()),
      'comment',
    ],
    ['a marked section', () => honest().replace('ann-4711', '<![CDATA[ann-4711]]>'), 'comment'],
    ['an instruction', () => honest().replace('<saml:Subject>', '<?evil?><saml:Subject>'), 'comment'],
    [
      'an entity that is read from a file (XXE)',
      () => declared('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>', honest().replace('ann-4711', '&x;')),
      'document type',
    ],
    [
      'an entity that is read from elsewhere',
      () => declared('<!DOCTYPE r SYSTEM "http://127.0.0.1/evil.dtd">', honest()),
      'document type',
    ],
    [
      'entities that grow',
      () => declared('<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>', honest()),
      'document type',
    ],
    ['entities that no one declared', () => honest().replace('ann-4711', '&x;'), 'the message is not XML'],
    [
      'a digest of SHA-1 alone',
      () => answerTo(usual, { ...own(), digestAlgorithm: sha1.digestAlgorithm }),
      'the provider signs with SHA-1',
    ],
    [
      'a signature by HMAC, for which the certificate would be the secret',
      () => honest().replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256'),
      'which is not allowed',
    ],
    [
      'a transform that reads something else',
      () => honest().replace('xmldsig#enveloped-signature', 'xmldsig#base64'),
      'transforms what it signs in a way that is not allowed',
    ],
    [
      'canonical XML with comments',
      () =>
        honest().replace(
          '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"',
          '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#WithComments"',
        ),
      'another form of XML',
    ],
    [
      'another audience',
      () => answerTo({ ...usual, audience: 'https://other.example.com' }, own()),
      'for another audience',
    ],
    [
      'no audience',
      () => {
        const unlimited = assertionOf(usual).replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')
        return responseAround(usual, signed(unlimited, 'Assertion', own()))
      },
      'does not say for whom it is',
    ],
    [
      'another recipient',
      () => answerTo({ ...usual, recipient: 'https://evil.example.com/acs', destination: usual.recipient }, own()),
      'for another recipient',
    ],
    [
      'another destination',
      () => answerTo({ ...usual, destination: 'https://evil.example.com/acs' }, own()),
      'for another destination',
    ],
    ['another issuer', () => answerTo({ ...usual, issuer: 'https://evil.example.com' }, own()), 'issuer'],
    ['an assertion that is over', () => answerTo({ ...usual, nowMs: nowMs - 11 * 60_000 }, own()), 'is over'],
    ['an assertion of the future', () => answerTo({ ...usual, nowMs: nowMs + 10 * 60_000 }, own()), 'of the future'],
    ['an answer to nothing', () => answerTo({ ...usual, inResponseTo: '' }, own()), 'another sign-in, or to none'],
    ['an answer to another browser', () => answerTo({ ...usual, inResponseTo: '_other' }, own()), 'another sign-in'],
    [
      'an assertion for another browser in a response to this one',
      () => answerTo({ ...usual, inResponseTo: '_other', responseTo: usual.id }, own()),
      'another sign-in',
    ],
    [
      'a name that is another one each time',
      () => answerTo({ ...usual, format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, own()),
      'misconfigured: the provider calls users by another name each time',
    ],
    [
      'a name of another kind',
      () => answerTo({ ...usual, format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' }, own()),
      'the NameID has the format emailAddress',
    ],
    ['no name', () => answerTo({ ...usual, nameId: '' }, own()), 'names no user'],
    [
      'an encrypted assertion, and says why',
      () => responseAround(usual, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
      'misconfigured: the provider encrypts assertions',
    ],
    [
      'what the provider refused',
      () => responseAround({ ...usual, status: 'Requester' }),
      'refused: the provider answered Requester',
    ],
    ['no response', () => assertionOf(usual), 'the message is not a Response'],
    ['no XML', () => 'hello', 'the message is not XML'],
    ['ends of elements without number', () => `<a>${'</a>'.repeat(700)}`, 'too many elements'],
    ['elements without number', () => responseAround(usual, '<a/>'.repeat(700)), 'too many elements'],
    [
      'attributes without number',
      () => responseAround(usual, `<a${Array.from({ length: 1_600 }, (_, index) => ` a${index}=""`).join('')}/>`),
      'too many attributes',
    ],
    [
      'prefixes without number',
      () =>
        answerTo(usual, own()).replace(
          `<ds:Transform Algorithm="${exclusive}"/>`,
          `<ds:Transform Algorithm="${exclusive}"><i:InclusiveNamespaces xmlns:i="${exclusive}" PrefixList="${'a '.repeat(200)}"/></ds:Transform>`,
        ),
      'too many prefixes',
    ],
    [
      'elements nested too deep',
      () => responseAround(usual, '<a>'.repeat(300) + '</a>'.repeat(300)),
      'nested too deep',
    ],
    ['a huge message', () => responseAround(usual, 'a'.repeat(400_000)), 'too long'],
  ]
}
