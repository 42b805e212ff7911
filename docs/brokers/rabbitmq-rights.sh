#!/bin/sh
# Users and topic rights for RabbitMQ. The fleet is site1; a slash of MQTT is a dot here.
#   rabbitmq-rights.sh cart 7 <password>        a cart: publishes its own topics, receives messages for it
#   rabbitmq-rights.sh gateway 1 <password>     a gateway that commands the other carts; its own cart is 1
#   rabbitmq-rights.sh policy                   once for the cluster
set -eu
base='cart\.v1\.site1'
ctl=${RABBITMQCTL:-rabbitmqctl}
kind=$1

if [ "$kind" = policy ]; then
  # A subscription with QoS 1 belongs to the node where it was made. Without copies, the other nodes keep disconnecting its
  # clients while that node is down.
  exec "$ctl" set_policy fleet '^mqtt-subscription-' '{"ha-mode":"all","ha-sync-mode":"automatic"}' --apply-to queues
fi

number=$2
user="$kind-$number"
publishes="$base\.$number\.(state|ack|connection|factsheet|visualization|sightings)"
reads="$base\.($number\.(command|heartbeat|instantActions|position)|_all\.(instantActions|command))"
if [ "$kind" = gateway ]; then
  publishes="$publishes|$base\.[^.]+\.(command|heartbeat|instantActions|position)"
  # RabbitMQ checks a filter with + as *.
  reads="$base\..*"
fi

"$ctl" add_user "$user" "$3"
# Its own queues, and the exchange for all topics.
"$ctl" set_permissions "$user" '^mqtt-subscription-.*' '^(mqtt-subscription-.*|amq\.topic)$' '^(mqtt-subscription-.*|amq\.topic)$'
"$ctl" set_topic_permissions "$user" amq.topic "^($publishes)\$" "^($reads)\$"
