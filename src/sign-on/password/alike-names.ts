/**
 * One text for all spellings that directories treat as the same name: they ignore diacritics, as Active Directory does,
 * characters that RFC 4518 maps to nothing, and differences in case and spaces. If two users' names coincide, they only
 * share a rate limit.
 */
export function alikeName(username: string): string {
  const bare = username.normalize('NFKD').replace(/[\p{M}\u1806\ufffc]/gu, '')
  // Upper case alone would leave the capital ß, lower case alone the two forms of sigma.
  return bare.normalize('NFKC').toLowerCase().toUpperCase().trim().replace(/\s+/g, ' ')
}
