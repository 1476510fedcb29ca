import { InvalidArgumentError } from 'commander'

const root = '/oidc'

/** The platform's issuer as an identity provider. Applications compare it literally. */
export function oidcIssuerArgument(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' && text === url.origin + root) return text
  throw new InvalidArgumentError(
    `It must be the address of the platform and ${root}: https://platform.example.com${root}`,
  )
}
