/**
 * One text for all spellings that directories take for one name: they leave out marks, as Active Directory does, what RFC 4518
 * maps to nothing, and differences of case and spaces. Names of two users that fall together share no more than a limit.
 */
export function alikeName(username: string): string {
  const bare = username.normalize('NFKD').replace(/[\p{M}\u1806\ufffc]/gu, '')
  // Upper case alone would leave the capital ß, lower case alone the two forms of sigma.
  return bare.normalize('NFKC').toLowerCase().toUpperCase().trim().replace(/\s+/g, ' ')
}
