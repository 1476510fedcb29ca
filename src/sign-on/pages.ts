import type { Random } from '../base/random.ts'
import type { Response } from '../server/http.ts'
import type { FailureCode } from './failure.ts'

interface PageText {
  readonly status: number
  readonly title: string
  readonly text: string
}

/** What a user is told. Why exactly is in the log, under the reference. */
const failures: Readonly<Record<FailureCode, PageText>> = {
  unavailable: {
    status: 503,
    title: 'The identity provider does not answer',
    text: 'The platform could not reach it, or got no answer in time. Try again in a moment. If it stays like this, tell an administrator.',
  },
  canceled: {
    status: 403,
    title: 'You have not signed in',
    text: 'The sign-in was canceled at the identity provider. Nothing has changed here.',
  },
  refused: {
    status: 403,
    title: 'The identity provider refused the sign-in',
    text: 'It did not confirm who you are. Try again; if it refuses again, ask an administrator of the identity provider.',
  },
  untrusted: {
    status: 400,
    title: 'The answer of the identity provider cannot be trusted',
    text: 'It does not belong to this sign-in, or was not made by the identity provider. Start again from the sign-in page, and only there.',
  },
  expired: {
    status: 400,
    title: 'This sign-in is over',
    text: 'It took too long, was finished already, or was started in another browser or tab. Start again from the sign-in page.',
  },
  unknown: {
    status: 404,
    title: 'There is no such way to sign in',
    text: 'The connector does not exist, or is switched off. Start again from the sign-in page.',
  },
  misconfigured: {
    status: 500,
    title: 'This way to sign in is not set up right',
    text: 'An administrator finds out more with: tenant platform auth test',
  },
  'not-allowed': {
    status: 403,
    title: 'You may not sign in here',
    text: 'The identity provider knows you, but this platform lets in only some groups or mail domains. Ask an administrator of the platform.',
  },
  'no-account': {
    status: 403,
    title: 'You have no account here',
    text: 'The identity provider knows you, but this platform creates no accounts by itself. Ask an administrator of the platform for one.',
  },
  locked: { status: 403, title: 'Your account is locked', text: 'Ask an administrator of the platform.' },
  ambiguous: {
    status: 409,
    title: 'Your account cannot be told apart from another',
    text: 'More than one user of the platform claims your identity or your name. An administrator has to correct spec.identities of these users.',
  },
  'too-many': {
    status: 429,
    title: 'Too many sign-ins from here',
    text: 'Wait a minute, then try again.',
  },
}

export function failurePage(code: FailureCode, reference: string, random: Random): Response {
  const { status, title, text } = failures[code]
  const body = `<p>${escaped(text)}</p><p><a href="/">Back to the sign-in page</a></p><p class="quiet">Reference: ${escaped(reference)}</p>`
  return page(status, title, body, random)
}

export interface Choice {
  readonly label: string
  readonly href: string
}

/** For a command that asks to sign in: the user has to go on, so that no page can make the browser do it. */
export function choicePage(choices: readonly Choice[], random: Random): Response {
  const links = choices.map(({ label, href }) => `<li><a href="${escaped(href)}">${escaped(label)}</a></li>`).join('')
  const way =
    choices.length === 0 ? '<p>No identity provider is set up here. Use an access key.</p>' : `<ul>${links}</ul>`
  const text =
    'A command on this computer asks to sign in as you. Go on only if you have just run <code>tenant platform login</code>.'
  return page(200, 'Sign in to the platform', `<p>${text}</p>${way}`, random)
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color:#1c2024;background:#fff}' +
  'a{color:#0b5cad}.quiet{color:#5b6470;font-size:.85rem}@media(prefers-color-scheme:dark){body{color:#e6e8eb;background:#16181b}a{color:#7ab8ff}}'

function page(status: number, title: string, body: string, random: Random): Response {
  const nonce = Buffer.from(random.bytes(18)).toString('base64')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style nonce="${nonce}">${style}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>\n`
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    status,
    headers: [...['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', policy], ...signOnHeaders],
    body: Buffer.from(html),
  }
}

/** Of every answer of sign-on. */
export const signOnHeaders: readonly string[] = [
  ...['Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer', 'X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY', 'Cross-Origin-Opener-Policy', 'same-origin'],
]

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
