declare module 'stripe-stateful-mock' {
  const mock: { createExpressApp(): { listen(port: number): import('node:http').Server } };
  export default mock;
}
