import type { Random } from '../base/random.ts'
import type { Response } from '../server/http.ts'
import type { FailureCode } from './failure.ts'

/** Where a user decides which machine to admit. */
export const confirmPath = '/auth/device/confirm'

interface PageText {
  readonly status: number
  readonly title: string
  readonly text: string
}

/** What a user is told. The log has the exact reason, under the reference. */
const failures: Readonly<Record<FailureCode, PageText>> = {
  unavailable: {
    status: 503,
    title: 'The identity provider does not answer',
    text: 'The platform could not reach it, or got no answer in time. Try again in a moment. If it stays like this, tell an administrator.',
  },
  unreadable: {
    status: 502,
    title: 'The answer of the identity provider is too large',
    text: 'It says more about you, or about itself, than the platform reads: you may be in too many groups there. Tell an administrator.',
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
    title: 'This way to sign in is not set up correctly',
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
  'no-room': {
    status: 403,
    title: 'There is no room for another account',
    text: 'The identity provider knows you, but this platform already has as many users of it as it may have. An administrator of the platform can raise --max-users-per-connector, or delete users.',
  },
  locked: { status: 403, title: 'Your account is locked', text: 'Ask an administrator of the platform.' },
  ambiguous: {
    status: 409,
    title: 'Your account cannot be told apart from another',
    text: 'More than one user of the platform claims your identity or your name. An administrator must correct spec.identities of these users.',
  },
  'wrong-password': {
    status: 401,
    title: 'The user name or the password is wrong',
    text: 'Try again. If it stays like this, the account may be locked or expired: ask an administrator of the directory.',
  },
  'untrusted-application': {
    status: 400,
    title: 'The application that sent you here is not set up correctly',
    text: 'It is not registered here, or it asked to send you back to an address that is not allowed. It was told nothing about you. Ask an administrator of the platform.',
  },
  'too-many': {
    status: 429,
    title: 'Too many sign-ins from here',
    text: 'Wait a minute, then try again.',
  },
  'old-browser': {
    status: 400,
    title: 'This browser is too old',
    text: 'It does not say from which page a form was sent (Sec-Fetch-Site), so that nothing can be sent with it. Use a newer one.',
  },
}

export function failurePage(code: FailureCode, reference: string, random: Random): Response {
  const { status, title, text } = failures[code]
  const body = `<p>${escaped(text)}</p><p><a href="/">Back to the sign-in page</a></p><p class="quiet">Reference: ${escaped(reference)}</p>`
  return page(status, title, body, random)
}

export interface PasswordForm {
  readonly action: string
  /** Submitted with the form, to tie it to this sign-in. */
  readonly state: string
  readonly connector: string
  readonly problem: 'wrong-password' | undefined
}

/** Where a user enters the directory's credentials, which are never shown again. */
export function passwordPage({ action, state, connector, problem }: PasswordForm, random: Random): Response {
  const { status, title } = problem === undefined ? { status: 200, title: '' } : failures[problem]
  const told = problem === undefined ? '' : `<p role="alert">${escaped(`${title}. ${failures[problem].text}`)}</p>`
  const fields = [
    '<p><label for="username">User name</label><br><input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="256" autofocus required></p>',
    '<p><label for="password">Password</label><br><input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required></p>',
    '<p><button>Sign in</button></p>',
  ]
  const body = `${told}<p>With the user name and the password that you have at <strong>${escaped(connector)}</strong>.</p>${formOf(action, { state }, fields.join(''))}<p><a href="/">Back to the sign-in page</a></p>`
  return page(status, 'Sign in to the platform', body, random, "'self'")
}

export interface Choice {
  readonly label: string
  readonly href: string
}

/** For a command that starts a sign-in: the user must confirm, so that no page can make the browser do it. */
export function choicePage(choices: readonly Choice[], random: Random, isTest = false): Response {
  const text = isTest
    ? 'A command on this computer tests this sign-in, and learns who you are. Continue only if you have just run <code>tenant platform auth test</code>.'
    : 'A command on this computer asks to sign in as you. Continue only if you have just run <code>tenant platform login</code>.'
  return page(200, 'Sign in to the platform', `<p>${text}</p>${wayOf(choices)}`, random)
}

export interface AskingCommand {
  /** As whom it would be signed in. Absent: it tries a connector, and is told who the user is. */
  readonly user?: string
  /** Where it listens, with its code. */
  readonly address: string
}

/**
 * The end of a sign-in for a command. Its beginning does not show that the user wants it: another page may have planted
 * the cookie of a sign-in that was begun elsewhere, for a program of another user of this computer.
 */
export function commandPage({ user, address }: AskingCommand, random: Random): Response {
  const { text, answer } =
    user === undefined
      ? {
          text: 'A command on this computer is told who you are. Go on only if you have just run <code>tenant platform auth test</code>.',
          answer: 'Yes, tell it',
        }
      : {
          text: 'A command on this computer asks to be signed in as you, with all your rights. Go on only if you have just run <code>tenant platform login</code>.',
          answer: `Yes, sign it in as ${user}`,
        }
  const links = `<p><a href="${escaped(address)}">${escaped(answer)}</a></p><p><a href="/">No, this is not mine</a></p>`
  return page(200, 'Is this your command?', `<p>${text}</p>${links}`, random)
}

const warning =
  'If another person has sent you a code or asked you to type one, close this page: they would be signed in as you.'

/** Where a user begins to sign in for a machine without a browser. */
export function devicePage(choices: readonly Choice[], random: Random): Response {
  const text =
    'On the other machine, <code>tenant platform login --device</code> shows a code. Sign in here first; then this page asks for the code.'
  return page(200, 'Sign in on another machine', `<p>${text} ${warning}</p>${wayOf(choices)}`, random)
}

/** A user who has signed in, and continues with a form of this server. */
export interface SignedInForm {
  readonly user: string
  /** Submitted with the form, to tie it to this user. */
  readonly ticket: string
}

/** Where the code of the machine is entered. */
export function codePage({ user, ticket }: SignedInForm, problem: string, random: Random): Response {
  const told = problem === '' ? '' : `<p role="alert">${escaped(problem)}</p>`
  const text = `You have signed in as <strong>${escaped(user)}</strong>. Type the code that <code>tenant platform login --device</code> shows on the other machine.`
  const field =
    '<label for="code">Code</label> <input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" autofocus required>'
  const form = confirmForm({ ticket }, `<p>${field} <button>Continue</button></p>`)
  return page(200, 'Type the code', `${told}<p>${text} ${warning}</p>${form}`, random, "'self'")
}

export interface AskingMachine {
  readonly machine: string
  readonly address: string
  readonly minutes: number
  readonly code: string
  readonly challenge: string
}

/** The user sees which machine asks before anything happens, and admits it with a button on this page. */
export function machinePage({ user, ticket }: SignedInForm, asking: AskingMachine, random: Random): Response {
  const { machine, address, minutes, code, challenge } = asking
  const since = minutes === 0 ? 'less than a minute ago' : `${minutes} min ago`
  const facts = [
    ['Calls itself', machine],
    ['Asks from', address],
    ['Since', since],
    ['Shows', code],
  ].map(([name = '', value = '']) => `<li>${escaped(name)}: <strong>${escaped(value)}</strong></li>`)
  const text =
    'A machine asks to be signed in as you, with all your rights. Continue only if you have just run <code>tenant platform login --device</code> there yourself.'
  const button = `<p><button name="confirmed" value="yes">Yes, sign it in as ${escaped(user)}</button></p>`
  const form = confirmForm({ ticket, code, challenge }, button)
  const body = `<p>${text}</p><ul>${facts.join('')}</ul>${form}<p><a href="/">No, this is not mine</a></p>`
  return page(200, 'Is this your machine?', body, random, "'self'")
}

function confirmForm(hidden: Readonly<Record<string, string>>, body: string): string {
  return formOf(confirmPath, hidden, body)
}

/** A POST keeps the values out of the URL. */
function formOf(action: string, hidden: Readonly<Record<string, string>>, body: string): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  )
  return `<form method="post" action="${escaped(action)}">${fields.join('')}${body}</form>`
}

export function letInPage(user: string, random: Random): Response {
  const body = `<p>You have signed in as ${escaped(user)}. The machine continues on its own; you can close this page.</p>`
  return page(200, 'The machine is let in', body, random)
}

function wayOf(choices: readonly Choice[]): string {
  if (choices.length === 0) return '<p>No identity provider is set up here. Use an access key.</p>'
  const links = choices.map(({ label, href }) => `<li><a href="${escaped(href)}">${escaped(label)}</a></li>`)
  return `<ul>${links.join('')}</ul>`
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color:#1c2024;background:#fff}' +
  'a{color:#0b5cad}.quiet{color:#5b6470;font-size:.85rem}@media(prefers-color-scheme:dark){body{color:#e6e8eb;background:#16181b}a{color:#7ab8ff}}'

function page(status: number, title: string, body: string, random: Random, formAction = "'none'"): Response {
  const nonce = Buffer.from(random.bytes(18)).toString('base64')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style nonce="${nonce}">${style}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>\n`
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`
  return {
    status,
    headers: [...['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', policy], ...signOnHeaders],
    body: Buffer.from(html),
  }
}

/** For every response of sign-on. */
export const signOnHeaders: readonly string[] = [
  ...['Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer', 'X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY', 'Cross-Origin-Opener-Policy', 'same-origin'],
]

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function redirect(location: string, headers: readonly string[] = []): Response {
  return { status: 302, headers: ['Location', location, ...signOnHeaders, ...headers], body: Buffer.alloc(0) }
}
