/** Bytes that are not the expected message. The error message is meant for the sender. */
export class ProtobufError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProtobufError'
  }
}
