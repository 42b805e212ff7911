import express from 'express';
import { SerialPort } from 'serialport';

/** A minimal gateway to compare with Cartwright: it writes each POST to the serial port as one JSON line. */
const [path = '', port = '0'] = process.argv.slice(2);
const serial = new SerialPort({ path, baudRate: 115_200 });
const app = express();
app.use(express.json());
// The response has the same length as the gateway's list of 1,000 beacons.
const list = Buffer.from(JSON.stringify(Array.from({ length: 1000 }, () => 'x'.repeat(130))));
app.get('/beacons', (_req, res) => void res.type('json').send(list));
app.post('/', (req, res) => {
  const { cartID, distanceID, angleID } = req.body;
  serial.write(`${JSON.stringify({ cartID, distanceID, angleID })}\n`);
  res.json({ ok: true });
});
const server = app.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  const at = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ event: 'gateway.ready', url: `http://127.0.0.1:${at}` })}\n`);
});
