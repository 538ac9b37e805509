/** The response with `onEnd` called once: when its body has been sent, or nobody reads it any more. At once where it has none. */
export function whenEnded(response: Response, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (isCancelled) return;
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        if (isCancelled) return;
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      isCancelled = true;
      onEnd();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
